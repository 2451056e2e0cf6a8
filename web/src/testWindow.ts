/** The globals that the page reads to find its language, for tests without a browser. */
import { vi } from "vitest";

// All files of tests are run in one process: each gets modules that no other has used.
vi.resetModules();
vi.unstubAllGlobals();

vi.stubGlobal("document", { documentElement: { dataset: {} } });
vi.stubGlobal("location", { search: "", href: "http://table.test/" });
vi.stubGlobal("navigator", { languages: [] });

/** The globals that the page reads to find its language, for tests without a browser. */
import { vi } from "vitest";

vi.stubGlobal("document", { documentElement: { dataset: {} } });
vi.stubGlobal("location", { search: "", href: "http://table.test/" });
vi.stubGlobal("navigator", { languages: [] });

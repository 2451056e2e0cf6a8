/** For tests without a browser: as much of a window as the page needs to find its language. */
import { vi } from "vitest";

vi.stubGlobal("document", { documentElement: { dataset: {} } });
vi.stubGlobal("location", { search: "", href: "http://table.test/" });
vi.stubGlobal("navigator", { languages: [] });

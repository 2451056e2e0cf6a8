import { expect, it, vi } from "vitest";
import { EMPTY } from "./draft";
import { newPad, PadEditor } from "./padEditor.svelte";
import { rulesOf } from "./rules";
import { find, save, type StoredPad } from "./store";

vi.mock("./store", async (original) => ({
  ...(await original<typeof import("./store")>()),
  find: vi.fn(),
  save: vi.fn(),
}));
vi.stubGlobal("addEventListener", () => undefined);

it("keeps a tap made while it reads what another window has saved", async () => {
  const pad = newPad([
    { do: "setup", rules: rulesOf({ edition: "classic" }), names: ["Ann", "Ben"] },
  ]);
  const there: StoredPad = {
    ...pad,
    version: 1,
    log: [...pad.log, { do: "turn", person: 0, sum: 15 }],
  };
  let answer: (stored: StoredPad) => void = () => undefined;
  vi.mocked(find).mockReturnValue(new Promise((resolve) => (answer = resolve)));
  vi.mocked(save).mockImplementation((own) =>
    Promise.resolve(
      own.version < there.version
        ? { there, isMine: false }
        : { there: { ...own, version: own.version + 1 }, isMine: true },
    ),
  );
  const editor = new PadEditor(pad);
  await Promise.resolve();
  editor.type({ ...EMPTY, digits: [3] });
  answer(there);
  await vi.waitFor(() => expect(editor.pending).toBe(0));
  expect(editor.stored.log).toHaveLength(2);
  expect(editor.draft.digits).toEqual([3]);
});

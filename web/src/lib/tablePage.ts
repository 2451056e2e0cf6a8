/** The page of a table, in a part of its own: nobody waits for it to see the first page. */
type TablePage = typeof import("../pages/Table.svelte");

let loaded: TablePage | undefined;

/** The page, at once if it has been loaded before. */
export function tablePage(): TablePage | Promise<TablePage> {
  return loaded ?? import("../pages/Table.svelte").then((page) => (loaded = page));
}

/** Call *work* when there is nothing else to do. */
const whenIdle = (work: () => void): void =>
  void ("requestIdleCallback" in window ? requestIdleCallback(work) : setTimeout(work, 500));

const prepare = async (): Promise<void> => (await import("./prepareTable")).prepareTable();

/** Load the page before it is needed; what cannot be loaded now is asked for again then. */
export function preloadTable(): void {
  Promise.resolve(tablePage()).then(
    () => whenIdle(() => void prepare().catch(() => undefined)),
    () => undefined,
  );
}

/** The ids of local tables, which no table of a server has: the id decides where a table lives. */
const LOCAL = /^local-[0-9a-f]{12}$/;

export const isLocal = (table: string): boolean => LOCAL.test(table);

export const newLocalId = (hex: string): string => `local-${hex.slice(0, 12)}`;

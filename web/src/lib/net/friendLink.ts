/** The link to a seat that was given to a friend: the server tells it once, so it is kept here. */
const KEY = "triomino-friend";

export interface FriendLink {
  table: string;
  path: string;
  /** What the seat is called. */
  name: string;
  /** Whether it has not been shown yet. */
  isNew: boolean;
}

export function keepFriendLink(link: FriendLink): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(link));
  } catch {
    // A private window has no storage.
  }
}

/** The link to the friend's seat at this table, if there is one. */
export function friendLinkOf(table: string): FriendLink | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as FriendLink | null;
    return kept?.table === table ? kept : null;
  } catch {
    return null;
  }
}

/** Requests about people: my profile, and whom I would rather not meet. */
import { forgetDevice, Refusal, registerDevice, request } from "./api";
import type {
  DeviceLink,
  MarkedPerson,
  Me,
  MyGame,
  NewReport,
  PasskeyOptions,
  Profile,
  ProfileChange,
  RecoveryPhrase,
  SeatPerson,
} from "./types";

export type Mark = MarkedPerson["kind"];

async function mine<T>(method: string, path: string, body?: unknown): Promise<T> {
  await registerDevice();
  const ask = (): Promise<T> => request<T>(method, `/api/me${path}`, body);
  return ask().catch(async (error: unknown) => {
    if (!(error instanceof Refusal && error.code === "no_device")) throw error;
    forgetDevice();
    await registerDevice();
    return ask();
  });
}

const profileOf = async (answer: Promise<Me>): Promise<Profile | null> => (await answer).profile;

/** What the list of devices calls this one. */
const label = (): string => {
  const agent = navigator.userAgent;
  const system = /Android|iPhone|iPad|Windows|Macintosh|Linux/.exec(agent)?.[0] ?? "";
  const browser = /Edg|Firefox|OPR|Chrome|Safari/.exec(agent)?.[0] ?? "";
  return [system.replace("Macintosh", "Mac"), browser.replace("Edg", "Edge")].join(" ").trim();
};

export const me = (): Promise<Profile | null> => profileOf(mine("GET", ""));
export const change = (
  name: string,
  face: NonNullable<ProfileChange["face"]>,
): Promise<Profile | null> => profileOf(mine("PUT", "", { name, face, label: label() }));
export const erase = (): Promise<void> => mine("DELETE", "");
export const removeDevice = (id: string): Promise<void> => mine("DELETE", `/devices/${id}`);
export const removeKey = (id: string): Promise<void> => mine("DELETE", `/keys/${id}`);
export const link = (): Promise<DeviceLink> => mine("POST", "/links");
export const phrase = (): Promise<RecoveryPhrase> => mine("POST", "/phrase");
export const data = (): Promise<unknown> => mine("GET", "/data");
export const games = (): Promise<MyGame[]> => mine("GET", "/games");
export const upload = (
  kind: "match" | "pad",
  id: string,
  at: number,
  content: unknown,
): Promise<void> => mine("PUT", `/games/${kind}/${encodeURIComponent(id)}`, { at, data: content });
export const dropGame = (kind: string, id: string): Promise<void> =>
  mine("DELETE", `/games/${kind}/${encodeURIComponent(id)}`);
export const game = (kind: string, id: string): Promise<unknown> =>
  mine("GET", `/games/${kind}/${encodeURIComponent(id)}`);
export const marks = (): Promise<MarkedPerson[]> => mine("GET", "/marks");
export const unmark = (person: string, kind: Mark): Promise<void> =>
  mine("DELETE", `/marks/${person}/${kind}`);

export const joinByLink = (secret: string, leave: boolean): Promise<Profile | null> =>
  profileOf(mine("POST", "/joins", { secret, leave, label: label() }));
export const joinByPhrase = (words: string, leave: boolean): Promise<Profile | null> =>
  profileOf(mine("POST", "/recoveries", { phrase: words, leave, label: label() }));

/** Browsers have passkeys over https, and on this machine by its name. */
export const hasPasskeys = (): boolean =>
  isSecureContext &&
  "PublicKeyCredential" in window &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname);

async function asked(kind: "keys" | "entries"): Promise<{ ticket: string; credential: unknown }> {
  const { options, ticket } = await mine<PasskeyOptions>("POST", `/${kind}/options`);
  const credential =
    kind === "keys"
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
            options as unknown as PublicKeyCredentialCreationOptionsJSON,
          ),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
            options as unknown as PublicKeyCredentialRequestOptionsJSON,
          ),
        });
  return { ticket, credential: (credential as PublicKeyCredential).toJSON() };
}

export const addPasskey = async (): Promise<Profile | null> =>
  profileOf(mine("POST", "/keys", await asked("keys")));
export const joinByPasskey = async (leave: boolean): Promise<Profile | null> =>
  profileOf(mine("POST", "/entries", { ...(await asked("entries")), leave, label: label() }));

const seatUrl = (table: string): string => `/api/tables/${encodeURIComponent(table)}`;
export const atTable = (table: string): Promise<SeatPerson[]> =>
  request("GET", `${seatUrl(table)}/people`);
export const mark = (table: string, seat: number, kind: Mark): Promise<void> =>
  request("PUT", `${seatUrl(table)}/people/${String(seat)}/${kind}`);
export const report = (table: string, told: NewReport): Promise<void> =>
  request("POST", `${seatUrl(table)}/reports`, told);

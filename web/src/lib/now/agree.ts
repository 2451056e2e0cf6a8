/** Agreeing to a rated match; only people with a profile are rated, so one is made if need be. */
import { Refusal, request } from "../net/api";
import { settings } from "../settings.svelte";

export async function agreeToRating(table: string, seat: number, agree: boolean): Promise<void> {
  const path = `/api/tables/${encodeURIComponent(table)}/seats/${seat}/rating`;
  const ask = (): Promise<void> => request("POST", path, { agree });
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "no_profile")) throw error;
    await request("PUT", "/api/me", { name: settings.name });
    await ask();
  }
}

/** Which page an address shows. */
import type { Component } from "svelte";

/** The values in an address. Only those that the route names, and `at`, are set. */
export interface Params {
  table: string;
  id: string;
  edition: string;
  /** The secret of a seat, behind the #, where no server and no log sees it. */
  seat: string;
  /** The secret of a live sheet, and that of the host of a club evening; behind the #, too. */
  write: string;
  host?: string;
  /** The secret of a link that lets this device join a profile, and the host's key. */
  join?: string;
  key?: string;
  pad: string;
  at?: string;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in Svelte's own type of components
type Props = Record<string, any>;
type Loaded<P extends Props> = { default: Component<P> } | Promise<{ default: Component<P> }>;

export interface Route {
  /**
   * `/t/:table/tv` matches `/t/abc/tv` and any path below; `#seat` requires `#seat=…`. `/` matches
   * itself alone, and `*` every address.
   */
  path: string;
  load: () => Loaded<Props>;
  props: (params: Params) => Props;
}

export interface Match {
  route: Route;
  params: Params;
}

/** A route whose props are checked against those of its page. */
export function route<P extends Props>(
  path: string,
  load: () => Loaded<P>,
  props: (params: Params) => P = () => ({}) as P,
): Route {
  return { path, load: load as Route["load"], props };
}

/** The first route that an address matches; the last one should be `*`. */
export function matchRoute(routes: readonly Route[], path: string, hash: string): Match {
  const segments = path.split("/").filter(Boolean).map(decoded);
  for (const route of routes) {
    const params = paramsOf(route.path, segments, hash);
    if (params) return { route, params };
  }
  throw new Error(path);
}

function paramsOf(pattern: string, segments: readonly string[], hash: string): Params | null {
  const [path = "", fragment] = pattern.split("#");
  if (path === "/" && segments.length) return null;
  const [, name = "", value = ""] = /^#(seat|at|write|host|join|key)=(.+)$/.exec(hash) ?? [];
  if (fragment && name !== fragment) return null;
  const params: Record<string, string> = { [name]: value };
  const matches = (path === "*" ? "" : path)
    .split("/")
    .filter(Boolean)
    .every((wanted, index) => {
      const segment = segments[index];
      if (!segment || !wanted.startsWith(":")) return segment === wanted;
      params[wanted.slice(1)] = segment;
      return true;
    });
  return matches ? (params as unknown as Params) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { expect, it } from "vitest";
import { matchRoute, route } from "./routes";

const nothing = () => ({ default: (() => ({})) as never });
const ROUTES = ["/t/:table#seat", "/t/:table/tv", "/t/:table", "/pad/:id", "/pad", "/", "*"].map(
  (path) => route(path, nothing),
);
const found = (path: string, hash = "") => {
  const { route, params } = matchRoute(ROUTES, path, hash);
  return [route.path, params];
};

it("takes the first route that fits, and its values", () => {
  expect(found("/t/abc")).toMatchObject(["/t/:table", { table: "abc" }]);
  expect(found("/t/abc/tv")).toMatchObject(["/t/:table/tv", { table: "abc" }]);
  expect(found("/t/abc/more/below")).toMatchObject(["/t/:table", { table: "abc" }]);
  expect(found("/pad/1%202")).toMatchObject(["/pad/:id", { id: "1 2" }]);
  expect(found("/pad/%")).toMatchObject(["/pad/:id", { id: "%" }]);
  expect(found("/pad/")[0]).toBe("/pad");
});
it("falls back to the last route", () => {
  expect(found("/")[0]).toBe("/");
  for (const path of ["/t", "/t/", "/unknown", "/unknown/below"]) expect(found(path)[0]).toBe("*");
});
it("reads what stands behind the #", () => {
  expect(found("/t/abc", "#seat=secret")).toMatchObject([
    "/t/:table#seat",
    { table: "abc", seat: "secret" },
  ]);
  expect(found("/t/abc", "#seat=")[0]).toBe("/t/:table");
  expect(found("/t/abc", "#at=12")).toMatchObject(["/t/:table", { table: "abc", at: "12" }]);
  expect(found("/", "#table=abc")[1]).not.toHaveProperty("table");
});

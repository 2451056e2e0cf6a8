/** A request that was refused; *code* is the reason for programs. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

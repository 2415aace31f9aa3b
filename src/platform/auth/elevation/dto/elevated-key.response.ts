/** A key for the routes below `/api/mcp`. No other response holds it. */
export class ElevatedKeyResponse {
  /** @example awp_u_0123456789012345678901234567890123456789012abcdef */
  key!: string;
  /** When the key ends, at most 15 minutes from now. */
  expiresAt!: Date;
}

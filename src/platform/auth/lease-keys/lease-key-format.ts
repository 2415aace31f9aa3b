import { parse } from 'uuid';

/** A lease of an agent, as its key names it. */
export interface KeyedLease {
  agentId: string;
  issueId: string;
  token: number;
}

/** The parts of a lease key. */
export interface LeaseKeyParts {
  /** The id of the key of the key ring that signed it. */
  keyId: string;
  lease: KeyedLease;
  mac: Buffer;
}

const PREFIX = 'awp_l_';
const FORM = /^awp_l_(?<keyId>[a-z0-9]{1,16})_(?<body>[\w-]{94})$/;

const UUID_BYTES = 16;
const TOKEN_BYTES = 6;
const LEASE_BYTES = 2 * UUID_BYTES + TOKEN_BYTES;
const MAC_BYTES = 32;

/** Returns whether a text claims to be a lease key. */
export function isLeaseKey(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Writes `awp_l_<id of the ring's key>_<agent, issue, token and MAC in base64url>`. */
export function writeLeaseKey({ keyId, lease, mac }: LeaseKeyParts): string {
  const token = Buffer.alloc(TOKEN_BYTES);
  token.writeUIntBE(lease.token, 0, TOKEN_BYTES);
  const body = Buffer.concat([parse(lease.agentId), parse(lease.issueId), token, mac]);
  return `${PREFIX}${keyId}_${body.toString('base64url')}`;
}

/** Returns null for a text that is not the one spelling of a lease key. */
export function readLeaseKey(text: string): LeaseKeyParts | null {
  const { keyId, body } = FORM.exec(text)?.groups ?? {};
  if (keyId === undefined || body === undefined) return null;
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length !== LEASE_BYTES + MAC_BYTES || bytes.toString('base64url') !== body) return null;
  const lease = {
    agentId: uuidIn(bytes, 0),
    issueId: uuidIn(bytes, UUID_BYTES),
    token: bytes.readUIntBE(2 * UUID_BYTES, TOKEN_BYTES),
  };
  return { keyId, lease, mac: bytes.subarray(LEASE_BYTES) };
}

/** The bytes are signed, so that they need not be a UUID of a known version. */
function uuidIn(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type Json = Record<string, unknown>;

/**
 * What an answer of OAuth describes: a protected resource (RFC 9728), an authorization server (RFC 8414), a client that was
 * registered (RFC 7591), or what a token endpoint grants (RFC 6749).
 */
export type OauthAnswer = 'resource' | 'issuer' | 'registration' | 'token';

/** The members that the service uses, by their form. Nothing else of an answer can make it unusable. */
const USED: Partial<Record<OauthAnswer, { texts: string[]; lists: string[]; others: string[] }>> = {
  resource: { texts: ['resource'], lists: ['authorization_servers', 'scopes_supported'], others: [] },
  issuer: {
    texts: [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'registration_endpoint',
      'revocation_endpoint',
      'jwks_uri',
    ],
    lists: [
      'response_types_supported',
      'scopes_supported',
      'subject_types_supported',
      'token_endpoint_auth_methods_supported',
      'code_challenge_methods_supported',
      'id_token_signing_alg_values_supported',
    ],
    others: ['client_id_metadata_document_supported', 'authorization_response_iss_parameter_supported'],
  },
  registration: {
    texts: ['client_id', 'client_secret', 'token_endpoint_auth_method'],
    lists: ['redirect_uris'],
    others: ['client_secret_expires_at'],
  },
};

/**
 * Returns a fetch whose answers have the form that the libraries of OAuth insist on, where they mean the same (contract
 * §3.7): any 2xx is a success, null members and those that the service does not use count as absent, a list of scopes is
 * a text, and an error that comes with 200 is a refusal.
 */
export function lenient(fetch: Fetch, kind: OauthAnswer): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const text = await response.text();
    const answer = objectIn(text);
    const headers = new Headers(response.headers);
    // The body was read: it has neither an encoding nor the former length.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
    if (answer === null) return answerOf(response.ok ? statusOf(kind) : response.status, text, headers);
    headers.set('content-type', 'application/json');
    const members = response.ok ? conformed(kind, answer, init) : withoutNulls(answer);
    const refused = kind === 'token' && typeof members['error'] === 'string';
    const status = response.ok ? (refused ? 400 : statusOf(kind)) : response.status;
    return answerOf(status, JSON.stringify(members), headers);
  };
}

/** The header of HTTP Basic. Some servers do not decode what RFC 6749 §2.3.1 encodes, so what needs no encoding has none. */
export function basicCredentials(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64')}`;
}

function formEncoded(text: string): string {
  const encoded = encodeURIComponent(text).replaceAll('%20', '+');
  return encoded.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The status that the libraries take for a success. */
function statusOf(kind: OauthAnswer): number {
  return kind === 'registration' ? 201 : 200;
}

function answerOf(status: number, text: string, headers: Headers): Response {
  return new Response([204, 205, 304].includes(status) ? null : text, { status, headers });
}

function conformed(kind: OauthAnswer, answer: Json, init?: RequestInit): Json {
  const given = withoutNulls(answer);
  if (kind === 'token') return tokenAnswer(given);
  const { texts, lists, others } = USED[kind]!;
  const members: Json = Object.fromEntries(others.map((name) => [name, given[name]]));
  for (const name of texts)
    if (typeof given[name] === 'string' && given[name] !== '') members[name] = given[name];
  for (const name of lists) members[name] = listOf(given[name]);
  if (kind === 'issuer') return { ...defaultsOf(members), ...defined(members) };
  if (kind === 'registration') return registrationAnswer(members, init);
  return defined(members);
}

/** Members that the libraries demand of metadata, and that the service does not use or knows the meaning of when absent. */
function defaultsOf({ issuer }: Json): Json {
  return {
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    ...(typeof issuer === 'string' && URL.canParse('jwks', issuer) && { jwks_uri: new URL('jwks', issuer) }),
  };
}

/** A server that does not repeat the redirect URIs has taken those that it was sent. */
function registrationAnswer(members: Json, init?: RequestInit): Json {
  const sent = typeof init?.body === 'string' ? objectIn(init.body) : null;
  const ends = Number(members['client_secret_expires_at'] ?? 0);
  return defined({
    ...members,
    redirect_uris: members['redirect_uris'] ?? sent?.['redirect_uris'],
    client_secret_expires_at: Number.isFinite(ends) && ends > 0 ? ends : 0,
  });
}

function tokenAnswer(given: Json): Json {
  const { scope, expires_in: seconds, ...rest } = given;
  const lasts = typeof seconds === 'string' && /^\d{1,15}$/.test(seconds) ? Number(seconds) : seconds;
  return {
    ...rest,
    ...(typeof lasts === 'number' && lasts >= 0 && { expires_in: lasts }),
    ...(Array.isArray(scope) && { scope: listOf(scope)?.join(' ') ?? '' }),
    ...(typeof scope === 'string' && { scope }),
  };
}

/** Returns the texts of a list, or of one text with blanks between; undefined for anything else. */
function listOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function withoutNulls(given: Json): Json {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function defined(given: Json): Json {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null; // A page of a proxy, or nothing.
  }
}

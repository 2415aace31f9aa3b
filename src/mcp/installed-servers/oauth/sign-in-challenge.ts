/**
 * Whether a server asks for a sign-in by the challenge of its 401 (RFC 6750). A server that knows its callers by headers of
 * the entry may mean that their values are wrong, unless it says where it describes the sign-in (RFC 9728).
 */
export function asksForSignIn(
  challenge: string | null,
  { sendsHeaders }: { sendsHeaders: boolean },
): boolean {
  if (challenge === null || !/(^|,)\s*bearer(\s|,|$)/i.test(challenge)) return false;
  return !sendsHeaders || /\bresource_metadata\s*=/i.test(challenge);
}

/** Returns an id that no key of this ring or database has had, because ids are never reused. */
export async function nextKeyId(ring, database) {
  const checks = (await database?.checks.checks()) ?? [];
  const taken = [...(ring?.ids ?? []), ...checks.map(({ id }) => id)];
  const numbers = taken.map((id) => Number(/^k(\d{1,14})$/.exec(id)?.[1] ?? 0));
  return `k${Math.max(0, ...numbers) + 1}`;
}

/** Returns the parameters of a request with `meta` added to its `_meta`. */
export function withMeta(
  params: Record<string, unknown>,
  meta: Record<string, unknown> | undefined,
): Record<string, unknown> {
  if (!meta) return params;
  const given = typeof params._meta === 'object' ? params._meta : {};
  return { ...params, _meta: { ...given, ...meta } };
}

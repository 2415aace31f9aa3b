/** What monitors request every few seconds, of a process of every role. */
export const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

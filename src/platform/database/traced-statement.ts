import { currentSpan, inSpan } from '../tracing/spans.js';

const SYSTEM = { 'db.system.name': 'postgresql' };
const OPERATION = /^\s*(\w+)/;
/** The first table that a statement of each kind names. */
const TABLE: Record<string, RegExp> = {
  SELECT: /\bFROM\s+(\w+)/i,
  INSERT: /\bINTO\s+(\w+)/i,
  UPDATE: /\bUPDATE\s+(\w+)/i,
  DELETE: /\bFROM\s+(\w+)/i,
};

/**
 * Runs a statement in a span of its own, if the current work is traced. The span has the name of a prepared statement, or
 * the operation and table of another one: neither the text nor the values.
 */
export function tracedStatement<T>(name: string | null, sql: string, run: () => Promise<T>): Promise<T> {
  if (!currentSpan()) return run();
  const operation = OPERATION.exec(sql)?.[1]?.toUpperCase() ?? 'SQL';
  const table = TABLE[operation]?.exec(sql)?.[1];
  const summary = name ?? (table ? `${operation} ${table}` : operation);
  const attributes = { ...SYSTEM, 'db.operation.name': operation, 'db.query.summary': summary };
  return inSpan(summary, { kind: 'client', attributes }, run);
}

/** Runs a read that one statement makes for several callers, each of which gets a span of its own. */
export function tracedRead<T>(name: string, run: () => Promise<T>): Promise<T> {
  if (!currentSpan()) return run();
  const attributes = { ...SYSTEM, 'db.query.summary': name, 'awp.shared_statement': true };
  return inSpan(name, { kind: 'client', attributes }, run);
}

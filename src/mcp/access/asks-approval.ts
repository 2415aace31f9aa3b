/**
 * SQL for whether a person has to approve each call of tool `t` with access `a` (contract §3.4). Only a tool that declares
 * itself read-only counts as one: a missing or malformed declaration asks.
 */
export const ASKS_APPROVAL = `(
  coalesce(a.ask_writes AND t.definition #> '{annotations,readOnlyHint}' IS DISTINCT FROM 'true', false)
  OR coalesce(a.ask_tools ? t.name, false))`;

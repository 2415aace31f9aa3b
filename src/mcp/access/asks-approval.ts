/**
 * SQL for whether a person has to approve each call of tool `t` with grant `a` (contract §3.4). Only a tool that declares
 * itself read-only counts as one: a missing or malformed declaration asks.
 */
export const ASKS_APPROVAL = `coalesce(
  CASE WHEN a.ask = '"writes"' THEN t.definition #> '{annotations,readOnlyHint}' IS DISTINCT FROM 'true'
       ELSE a.ask ? t.name END, false)`;

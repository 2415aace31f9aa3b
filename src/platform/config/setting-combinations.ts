import type { z } from 'zod';
import { refuseSignIn, type SignInValues } from './oidc-settings.schema.js';

/** The settings that a combination concerns. */
interface Combined extends SignInValues {
  ROLE: string;
  PROCESSES: string;
  PORT: number;
  HEALTH_PORT?: number | undefined;
  TOOLS_LISTEN?: string | undefined;
  TOOLS_ADVERTISE?: string | undefined;
  TLS_CERT_FILE?: string | undefined;
  TLS_KEY_FILE?: string | undefined;
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
  ENCRYPTION_KEYS?: string | undefined;
  ENCRYPTION_KEYRING_FILE?: string | undefined;
  JOURNAL_RETENTION_DAYS: number;
  DELIVERY_RETENTION_DAYS: number;
  TIMELINE_RETENTION_DAYS: number;
  TOOL_CALL_TIMEOUT_MS: number;
  TOOL_CALL_HARD_LIMIT_MS: number;
  ATTACHMENT_STORE: string;
  S3_ENDPOINT?: string | undefined;
  S3_BUCKET?: string | undefined;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
}

/** Refuses settings that are good alone and not together (contract §9). */
export function refuseCombinations(values: Combined, context: z.RefinementCtx): void {
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (values.TLS_CERT_FILE && !values.TLS_KEY_FILE) refuse('TLS_KEY_FILE', 'is needed with TLS_CERT_FILE');
  if (values.TLS_KEY_FILE && !values.TLS_CERT_FILE) refuse('TLS_CERT_FILE', 'is needed with TLS_KEY_FILE');
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL)
    refuse('DATABASE_URL', 'is needed with DATABASE_DIRECT_URL');
  if (values.ROLE !== 'all' && !values.DATABASE_URL)
    refuse('DATABASE_URL', `is needed with ROLE=${values.ROLE}, whose processes share a database`);
  if (['tools', 'worker'].includes(values.ROLE) && !['auto', '1'].includes(values.PROCESSES))
    refuse('PROCESSES', `is for ROLE=all and ROLE=api; start ROLE=${values.ROLE} once for each process`);
  if (values.HEALTH_PORT === values.PORT)
    refuse('HEALTH_PORT', 'must not be PORT, which answers the probes too');
  if (values.ROLE === 'tools' && !values.TOOLS_LISTEN) refuse('TOOLS_LISTEN', 'is needed with ROLE=tools');
  if (/^(0\.0\.0\.0|\[::\]):/.test(values.TOOLS_LISTEN ?? '') && !values.TOOLS_ADVERTISE)
    refuse('TOOLS_ADVERTISE', 'is needed where TOOLS_LISTEN stands for every address of the host');
  if (values.ENCRYPTION_KEYS && values.ENCRYPTION_KEYRING_FILE)
    refuse('ENCRYPTION_KEYS', 'and ENCRYPTION_KEYRING_FILE exclude each other; set one');
  if (values.JOURNAL_RETENTION_DAYS > 0 && values.JOURNAL_RETENTION_DAYS < values.DELIVERY_RETENTION_DAYS)
    refuse(
      'JOURNAL_RETENTION_DAYS',
      'must not be less than DELIVERY_RETENTION_DAYS, whose deliveries need it',
    );
  if (
    values.TIMELINE_RETENTION_DAYS > 0 &&
    (values.JOURNAL_RETENTION_DAYS === 0 || values.TIMELINE_RETENTION_DAYS < values.JOURNAL_RETENTION_DAYS)
  )
    refuse(
      'TIMELINE_RETENTION_DAYS',
      'needs JOURNAL_RETENTION_DAYS and must not be less: a month is dropped with its entries of no issue',
    );
  if (values.TOOL_CALL_HARD_LIMIT_MS < values.TOOL_CALL_TIMEOUT_MS)
    refuse('TOOL_CALL_HARD_LIMIT_MS', 'must not be less than TOOL_CALL_TIMEOUT_MS');
  if (values.ATTACHMENT_STORE === 's3')
    for (const name of ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
      if (!values[name]) refuse(name, 'is needed with ATTACHMENT_STORE=s3');
  refuseSignIn(values, refuse);
}

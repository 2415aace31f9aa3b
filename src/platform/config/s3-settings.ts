import type { SecretFiles } from './secret-files.js';
import type { SettingValues } from './settings.schema.js';

/** The object store of the attachments (settings S3_*). */
export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  /** Whether the bucket is in the path of an address instead of its host name. */
  forcePathStyle: boolean;
  /** The present one, as the secret below: keys that are in files may change in operation. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Reads the files of both again, after the store refused them. Returns whether one has changed. */
  renewKey(): boolean;
}

/** Returns null when attachments are on disk. */
export function s3Of(values: SettingValues, secrets: SecretFiles): S3Settings | null {
  if (values.ATTACHMENT_STORE !== 's3') return null;
  return {
    endpoint: values.S3_ENDPOINT!,
    region: values.S3_REGION,
    bucket: values.S3_BUCKET!,
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
    get accessKeyId() {
      return secrets.present('S3_ACCESS_KEY_ID') ?? values.S3_ACCESS_KEY_ID!;
    },
    get secretAccessKey() {
      return secrets.present('S3_SECRET_ACCESS_KEY') ?? values.S3_SECRET_ACCESS_KEY!;
    },
    renewKey: () => secrets.look('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'),
  };
}

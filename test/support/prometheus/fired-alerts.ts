/**
 * Which tests make the cause of each alert: the rules of `deploy/prometheus/alerts.yml` by the name of the file in
 * test/api/platform. The last test of that file fails where one of its rules has not fired in it (`WatchedAlerts.silent`),
 * and `metrics-files.spec` where a rule is in neither list.
 */
export const FIRED_IN = {
  alerts: [
    'AwpDiskNearlyFull',
    'AwpBackupOverdue',
    'AwpInvariantViolated',
    'AwpDiskFills',
    'AwpBackupFailed',
    'AwpRestoreDrillOverdue',
    'AwpRestoreDrillFailed',
    'AwpChoreFails',
    'AwpChoreOverdue',
    'AwpWebhooksLate',
    'AwpWebhooksGivenUp',
    'AwpWebhookEnded',
    'AwpServersInError',
    'AwpOrphanProcesses',
    'AwpToolCallsFail',
    'AwpAttachmentStoreErrors',
    'AwpPartitionsMissing',
    'AwpSequenceUsedUp',
    'AwpLeasesLost',
    'AwpNoAgents',
    'AwpGatesWait',
  ],
  'alerts-outage': [
    'AwpProcessDown',
    'AwpNoProcess',
    'AwpCrashLoop',
    'AwpNotReady',
    'AwpDatabaseUnreachable',
    'AwpDatabaseNotWritable',
    'AwpCertificateExpires',
    'AwpServerErrors',
    'AwpSlowRequests',
    'AwpDatabasePoolExhausted',
    'AwpDatabaseConnectionsSlow',
    'AwpEventLoopBlocked',
    'AwpUnhandledRejections',
    'AwpThrottled',
    'AwpCertificateNotRenewed',
    'AwpClockSkew',
    'AwpTransactionAge',
  ],
} as const;

/** Those whose cause needs a host that allows a disk of its own. */
export const ON_SMALL_DISKS: readonly string[] = ['AwpDiskNearlyFull', 'AwpDiskFills', 'AwpNotReady'];

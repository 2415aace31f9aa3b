/** The parts of an issue's brief whose change is reported to its worker (contract §7.1). */
export const briefFields = ['title', 'description', 'priority', 'attachments'] as const;
export type BriefField = (typeof briefFields)[number];

/** What a worker has received of an issue's brief: long texts by their hash, attachments by their ids. */
export interface BriefFingerprint {
  title: string;
  description: string;
  priority: number;
  attachments: string[];
}

/** What changed in a brief, and the attachments that are new. */
export interface BriefChanges {
  changed: BriefField[];
  newAttachmentIds: string[];
}

export const NO_CHANGES: BriefChanges = { changed: [], newAttachmentIds: [] };

/**
 * The fingerprint of the brief of an issue `i`, as SQL. Files that the agent attached itself are no news to it.
 * @param agentId SQL of the agent's id
 */
export const fingerprintOf = (agentId: string) => `jsonb_build_object(
  'title', md5(i.title), 'description', md5(i.description), 'priority', i.priority,
  'attachments', coalesce((SELECT jsonb_agg(file.id ORDER BY file.id) FROM attachments file
    WHERE file.issue_id = i.id AND file.uploaded_by_id IS DISTINCT FROM ${agentId}), '[]'))`;

/** @param heard null for a lease of an earlier release, of which nothing is known */
export function changesBetween(heard: BriefFingerprint | null, present: BriefFingerprint): BriefChanges {
  if (!heard) return NO_CHANGES;
  const changed = briefFields.filter((field) => String(heard[field]) !== String(present[field]));
  // Each heartbeat compares all files of each lease.
  const known = new Set(heard.attachments);
  return { changed, newAttachmentIds: present.attachments.filter((id) => !known.has(id)) };
}

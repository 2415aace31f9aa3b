/** The lease of a call has ended, or its agent must stop all work. */
export class LeaseOver extends Error {}

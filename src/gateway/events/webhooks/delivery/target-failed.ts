/** Requests another try: graphile-worker makes it, after the same pause as `pauseAfter`. */
export class TargetFailed extends Error {}

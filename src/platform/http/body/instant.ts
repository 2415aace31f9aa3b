const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Turns ISO 8601 with a zone into a Date; any other value stays unchanged and fails validation. */
export const toInstant = ({ value }: { value: unknown }) => {
  if (typeof value !== 'string' || !ISO_8601.test(value)) return value;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? value : instant;
};

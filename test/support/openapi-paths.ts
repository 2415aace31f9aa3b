/** The parts of an OpenAPI document that the check reads. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

export interface Operation {
  parameters?: { name: string; required?: boolean }[];
  responses: Record<string, Response>;
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** A response that several operations share is a reference. */
export interface Response {
  content?: Record<string, { schema?: Schema }>;
  $ref?: string;
}

export type Schema = Record<string, unknown>;

interface Route {
  template: string[];
  operations: Record<string, Operation>;
  /** Its place in the document. */
  pointer: string[];
}

/** Finds the documented route of a path. A literal segment takes precedence over a parameter. */
export class PathTable {
  private readonly routes: Route[];

  constructor(private readonly document: OpenApiDocument) {
    this.routes = Object.entries(document.paths).map(([path, operations]) => ({
      template: path.split('/'),
      operations,
      pointer: ['paths', path],
    }));
  }

  find(path: string): Route | null {
    const words = path.replace(/\/$/, '').split('/');
    const [best] = this.routes.filter(({ template }) => fits(template, words)).toSorted(bySpecificity);
    return best ?? null;
  }

  /** Returns what is documented for a status, and its place. */
  responseOf(
    operation: Operation,
    pointer: string[],
    status: number,
  ): { response: Response; pointer: string[] } | null {
    const response = operation.responses[status];
    const name = response?.$ref?.split('/').at(-1);
    if (!response || name === undefined)
      return response ? { response, pointer: [...pointer, 'responses', `${status}`] } : null;
    return {
      response: this.document.components.responses[name]!,
      pointer: ['components', 'responses', name],
    };
  }
}

/** Returns `application/json` for `application/json; charset=utf-8`. */
export function mediaOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? 'none';
}

function fits(template: string[], words: string[]): boolean {
  return (
    template.length === words.length &&
    template.every((part, at) => (isParameter(part) ? words[at] !== '' : part === words[at]))
  );
}

function bySpecificity(a: Route, b: Route): number {
  const at = a.template.findIndex((part, index) => isParameter(part) !== isParameter(b.template[index]!));
  if (at < 0) return 0;
  return isParameter(a.template[at]!) ? 1 : -1;
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

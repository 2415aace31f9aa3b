/** What the check reads of an OpenAPI document. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

export interface Operation {
  parameters?: { name: string; required?: boolean }[];
  responses: Record<string, Response>;
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** One that several operations share is only referred to. */
export interface Response {
  content?: Record<string, { schema?: Schema }>;
  $ref?: string;
}

export type Schema = Record<string, unknown>;

interface Route {
  template: string[];
  operations: Record<string, Operation>;
  /** Where the document has it. */
  pointer: string[];
}

/** Finds the documented route of a path; one whose words are given comes before one with parameters there. */
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

  /** What is documented for a status, and where. */
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

/** `application/json` of `application/json; charset=utf-8`. */
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

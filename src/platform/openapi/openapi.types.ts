/** A JSON Schema of the document, or a reference to one. */
export type Schema = Record<string, unknown>;

export interface Media {
  schema?: Schema;
  example?: unknown;
}

export interface Response {
  description?: string;
  content?: Record<string, Media>;
  headers?: Record<string, unknown>;
  $ref?: string;
}

/** The part of an operation that this folder reads and writes. */
export interface Operation extends Record<string, unknown> {
  summary?: string;
  tags?: string[];
  parameters?: { in: string; name: string; description?: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
}

export interface Components {
  schemas: Record<string, Schema>;
  responses?: Record<string, Response>;
  headers?: Record<string, unknown>;
  securitySchemes?: Record<string, object>;
}

/** The document as this folder uses it; @nestjs/swagger's own types are those of OpenAPI 3.0. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Components;
  tags: { name: string; description?: string }[];
}

import type { OpenApiDocument, Operation, Response, Schema } from './openapi-paths.js';

/** Changes that a person has reviewed: a client sees them only when its request asks for them. */
export const LOOKED_AT = [
  // `tools` is a word only for a turn that sends `toolsVersion`.
  'POST /api/agents/{agentId}/turns 200.tools[]: the body is gone',
];

/** The sender of what a schema describes. Old clients keep sending and reading what they did before. */
type Side = 'request' | 'response';

/**
 * Returns one sentence for each thing that a client written for `before` can no longer do with `after`. Additions are
 * allowed; removals, new required fields and changed types are not (contract §8).
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      return now ? new Comparison(before, after).operation(name, operation, now) : [`${name} is gone`];
    }),
  );
}

class Comparison {
  /** Pairs of references that were compared, because schemas may refer to themselves. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly before: OpenApiDocument,
    private readonly after: OpenApiDocument,
  ) {}

  operation(name: string, was: Operation, is: Operation): string[] {
    return [
      ...this.parameters(name, was, is),
      ...this.schemas(`${name} takes`, bodyOf(was.requestBody), bodyOf(is.requestBody), 'request'),
      ...Object.entries(was.responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([status, response]) => this.response(`${name} ${status}`, response, is.responses[status])),
    ];
  }

  private parameters(name: string, was: Operation, is: Operation): string[] {
    const [had, has] = [was.parameters ?? [], is.parameters ?? []];
    const gone = had.filter((one) => !has.some((other) => other.name === one.name));
    const asked = has.filter(
      (one) => one.required && !had.some((other) => other.name === one.name && other.required),
    );
    return [
      ...gone.map((parameter) => `${name} no longer takes ${parameter.name}`),
      ...asked.map((parameter) => `${name} now needs ${parameter.name}`),
    ];
  }

  private response(name: string, was: Response, is: Response | undefined): string[] {
    return is ? this.schemas(name, bodyOf(was), bodyOf(is), 'response') : [`${name} is gone`];
  }

  private schemas(place: string, was: Schema | undefined, is: Schema | undefined, side: Side): string[] {
    if (!was)
      return is && side === 'request' && this.requiredOf(is, this.after).length > 0
        ? [`${place} a body now`]
        : [];
    if (!is) return [`${place}: the body is gone`];
    const pair = `${JSON.stringify(was['$ref'])} ${JSON.stringify(is['$ref'])} ${side}`;
    if (was['$ref'] && this.seen.has(pair)) return [];
    this.seen.add(pair);
    const [old, now] = [resolved(was, this.before), resolved(is, this.after)];
    return [
      ...typeChanges(place, old, now, side),
      ...this.fields(place, old, now, side),
      ...(old['items']
        ? this.schemas(`${place}[]`, old['items'] as Schema, now['items'] as Schema | undefined, side)
        : []),
    ];
  }

  private fields(place: string, old: Schema, now: Schema, side: Side): string[] {
    const [had, has] = [propertiesOf(old), propertiesOf(now)];
    const [wasSure, isSure] = [this.requiredOf(old, this.before), this.requiredOf(now, this.after)];
    const unsure = side === 'response' ? wasSure.filter((name) => name in has && !isSure.includes(name)) : [];
    const asked = side === 'request' ? isSure.filter((name) => !wasSure.includes(name)) : [];
    return [
      ...Object.keys(had)
        .filter((name) => !(name in has))
        .map((name) => `${place}.${name} is gone`),
      ...unsure.map((name) => `${place}.${name} may be missing now`),
      ...asked.map((name) => `${place}.${name} is needed now`),
      ...Object.keys(had)
        .filter((name) => name in has)
        .flatMap((name) => this.schemas(`${place}.${name}`, had[name], has[name], side)),
    ];
  }

  private requiredOf(schema: Schema, document: OpenApiDocument): string[] {
    return (resolved(schema, document)['required'] ?? []) as string[];
  }
}

function typeChanges(place: string, old: Schema, now: Schema, side: Side): string[] {
  const [wide, narrow] = side === 'request' ? [now, old] : [old, now];
  const [takes, gives] = [typesOf(wide), typesOf(narrow)];
  const misfit = takes.length > 0 && gives.filter((type) => !takes.includes(type));
  const lost =
    side === 'request'
      ? valuesOf(old).filter((value) => valuesOf(now).length > 0 && !valuesOf(now).includes(value))
      : [];
  return [
    ...(misfit && misfit.length > 0 ? [`${place} has another type`] : []),
    ...lost.map((value) => `${place} no longer takes ${JSON.stringify(value)}`),
  ];
}

function bodyOf(part: { content?: Record<string, { schema?: Schema }> } | undefined): Schema | undefined {
  return part?.content?.['application/json']?.schema;
}

function resolved(schema: Schema, { components }: OpenApiDocument): Schema {
  const { $ref, anyOf, ...own } = schema;
  if (typeof $ref === 'string') return { ...components.schemas[$ref.split('/').at(-1)!], ...own };
  if (!Array.isArray(anyOf)) return schema;
  const parts = (anyOf as Schema[]).map((part) => resolved(part, { components } as OpenApiDocument));
  return Object.assign({}, ...parts.toReversed(), own, { type: parts.flatMap(typesOf) }) as Schema;
}

function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

function valuesOf(schema: Schema): unknown[] {
  return (schema['enum'] ?? []) as unknown[];
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  return (schema['properties'] ?? {}) as Record<string, Schema>;
}

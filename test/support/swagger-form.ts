import type { RequestOptions } from './answer.js';
import type { OpenApiDocument, Schema } from './openapi-paths.js';

interface Parameter {
  in: string;
  name: string;
  example?: unknown;
  schema?: Schema;
}

/** A request that is ready to be sent. */
export interface FilledForm {
  method: string;
  path: string;
  options: RequestOptions;
}

/**
 * Returns the form that Swagger UI shows for an operation after 'Try it out': each parameter with its default or example,
 * optional ones included, and the example of the body.
 */
export function filledForm(document: OpenApiDocument, method: string, template: string): FilledForm {
  const operation = document.paths[template]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${template} is not documented.`);
  const filled = ((operation.parameters ?? []) as Parameter[]).flatMap((parameter) => {
    const value = parameter.schema?.['default'] ?? parameter.example ?? parameter.schema?.['example'];
    return value === undefined ? [] : [{ ...parameter, value: String(value) }];
  });
  const of = (place: string) => filled.filter((parameter) => parameter.in === place);
  const path = of('path').reduce(
    (whole, { name, value }) => whole.replace(`{${name}}`, encodeURIComponent(value)),
    template,
  );
  const query = new URLSearchParams(of('query').map(({ name, value }): [string, string] => [name, value]));
  const json = operation.requestBody?.content['application/json'] as { example?: unknown } | undefined;
  return {
    method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    options: {
      headers: Object.fromEntries(of('header').map(({ name, value }) => [name, value])),
      ...(json && { body: json.example }),
    },
  };
}

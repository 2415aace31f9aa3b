/**
 * Functions that run in the page of Swagger UI. Their text is sent to the browser, so that each one uses nothing but its
 * arguments and what the page has.
 */

/** The part of Swagger UI's system that these functions use. */
interface SwaggerUi {
  getStore(): { subscribe(listener: () => void): void };
  getSystem(): { Im: { Map(entries: object): unknown } };
  oas3Actions: { setRequestBodyValue(change: { value: unknown; pathMethod: string[] }): void };
  oas3Selectors: {
    requestBodyValue(path: string, method: string): { getIn?(path: string[]): unknown } | undefined;
  };
  specActions: {
    changeParamByIdentity(operation: string[], parameter: unknown, value: string, isXml: boolean): void;
  };
  specSelectors: { specJson(): { getIn(path: (string | number)[]): unknown; toJS(): PageSpecification } };
}

interface PageSpecification {
  paths: Record<string, Record<string, { parameters?: PageParameter[] }>>;
}

interface PageParameter {
  in: string;
  name: string;
  example?: unknown;
}

interface PageResponse {
  status: number;
  headers?: Record<string, string | undefined>;
}

/** What a browser offers to the functions below. */
declare const window: { ui: SwaggerUi };
declare const localStorage: { removeItem(name: string): void };

/**
 * Runs when the page is complete. Whenever the form of the upload is empty, as it is when it opens, it gets a small file,
 * which is sent until another one is chosen. A key that an earlier version of this page left in the browser is removed.
 */
export function prepareForms(): void {
  localStorage.removeItem('authorized');
  const { ui } = window;
  const pathMethod: [string, string] = ['/api/projects/issues/{issueId}/attachments', 'post'];
  const file = new File(['The notes of the release.\n'], 'notes.txt', { type: 'text/plain' });
  ui.getStore().subscribe(() => {
    const form = ui.oas3Selectors.requestBodyValue(...pathMethod);
    if (form?.getIn?.(['file', 'value']) === '')
      ui.oas3Actions.setRequestBodyValue({ value: ui.getSystem().Im.Map({ file }), pathMethod });
  });
}

/**
 * Puts the ids of an object that was just created into the forms that need them, in the place of the made-up id of the
 * examples. The address of the object is in the header `Location`.
 */
export function fillInCreatedIds<Response extends PageResponse>(response: Response): Response {
  const location = response.status === 201 ? response.headers?.['location'] : undefined;
  if (location === undefined) return response;
  const { ui } = window;
  const { paths } = ui.specSelectors.specJson().toJS();
  for (const template of Object.keys(paths)) {
    const form = new RegExp(
      `^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
    );
    const ids = form.exec(location)?.groups;
    if (!ids) continue;
    const root = template.slice(0, template.lastIndexOf('}') + 1);
    for (const path of Object.keys(paths).filter((one) => one.startsWith(root)))
      for (const [method, { parameters = [] }] of Object.entries(paths[path]!))
        parameters.forEach(({ in: place, name, example }, index) => {
          const value = ids[name];
          if (place !== 'path' || value === undefined || example !== '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09')
            return;
          const parameter = ui.specSelectors.specJson().getIn(['paths', path, method, 'parameters', index]);
          ui.specActions.changeParamByIdentity([path, method], parameter, value, false);
        });
  }
  return response;
}

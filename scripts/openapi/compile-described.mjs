import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { before } from '@nestjs/swagger/plugin';
import { compile } from '../build/compile.mjs';
import { inRoot, root } from '../paths.mjs';

/** The fields of these files get their types and doc comments into the document without a decorator each. */
const plugin = {
  dtoFileNameSuffix: ['.dto.ts', '.request.ts', '.response.ts', '.query.ts'],
  controllerFileNameSuffix: ['.controller.ts'],
  classValidatorShim: true,
  introspectComments: true,
  esmCompatible: true,
};
const described = [...plugin.dtoFileNameSuffix, ...plugin.controllerFileNameSuffix];

/**
 * Writes JavaScript into `folder`: that of the native compiler, and for the files that the swagger plugin describes that
 * of the compiler in JavaScript, which alone can run it and would take three times as long for all.
 */
export async function compileDescribed(folder) {
  await compile(folder);
  const { config } = ts.readConfigFile(inRoot('tsconfig.json'), (file) => readFileSync(file, 'utf8'));
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root, { outDir: folder });
  const program = ts.createProgram(fileNames, options);
  const transformers = { before: [before(plugin, program)] };
  for (const name of fileNames.filter((file) => described.some((suffix) => file.endsWith(suffix))))
    program.emit(program.getSourceFile(name), undefined, undefined, false, transformers);
}

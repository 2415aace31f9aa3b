import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { before } from '@nestjs/swagger/plugin';
import { inRoot, root } from '../paths.mjs';

/** The fields of these files get their types and doc comments into the document without a decorator each. */
const plugin = {
  dtoFileNameSuffix: ['.dto.ts', '.request.ts', '.response.ts', '.query.ts'],
  controllerFileNameSuffix: ['.controller.ts'],
  classValidatorShim: true,
  introspectComments: true,
  esmCompatible: true,
};

/** Writes JavaScript into `folder`, with the swagger plugin, which only the compiler in JavaScript can run. */
export function compileDescribed(folder) {
  const { config } = ts.readConfigFile(inRoot('tsconfig.json'), (file) => readFileSync(file, 'utf8'));
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root, { outDir: folder });
  const program = ts.createProgram(fileNames, options);
  program.emit(undefined, undefined, undefined, false, { before: [before(plugin, program)] });
}

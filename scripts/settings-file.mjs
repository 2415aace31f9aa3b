import { readFileSync } from 'node:fs';
import process from 'node:process';
import { EXIT_CONFIG } from './node-version.mjs';

const EXIT_USAGE = 64;
const OPTION = '--settings';

/**
 * Takes `--settings FILE` out of the arguments of this process, and puts the variables of the file into its environment, over
 * those that are there, as systemd does with EnvironmentFile=. Without the option it does nothing. Ends the process when the
 * file cannot be read. It is not called --env-file: Node 20 and 22 take that for their own, behind the script too
 * (https://github.com/nodejs/node/issues/54232).
 */
export function takeSettingsFile(args = process.argv) {
  const at = args.findIndex((one) => one === OPTION || one.startsWith(`${OPTION}=`));
  if (at < 0) return;
  const [option, next] = args.slice(at, at + 2);
  const isSeparate = option === OPTION;
  const file = isSeparate ? next : option.slice(OPTION.length + 1);
  if (!file) refuse(`${OPTION} needs a file, such as ${OPTION} /etc/agent-work-platform.env.`, EXIT_USAGE);
  args.splice(at, isSeparate ? 2 : 1);
  Object.assign(process.env, variablesIn(textOf(file)));
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return refuse(
      `${OPTION} ${file} cannot be read (${error.code}). Name an existing file that this user can read.`,
      EXIT_CONFIG,
    );
  }
}

function refuse(message, code) {
  console.error(message);
  process.exit(code);
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** What a backslash protects within double quotes; before anything else it stays. */
const PROTECTED = '"\\`$';

/**
 * Reads an environment file as systemd does (EnvironmentFile= in systemd.exec, src/basic/env-file.c of version 254). Node's
 * own reader differs: it cuts an unquoted value at #, and keeps a backslash.
 */
export function variablesIn(text) {
  const reader = { text, at: 0 };
  const found = {};
  while (reader.at < text.length) {
    const name = readName(reader);
    if (name === null) continue;
    const value = readValue(reader);
    if (NAME.test(name)) found[name] = value;
  }
  return found;
}

/** Returns null for a line that is empty, a comment, or has no `=`. */
function readName(reader) {
  const { text } = reader;
  while (/\s/.test(text[reader.at] ?? '')) reader.at += 1;
  const end = endOfLine(reader);
  const line = text.slice(reader.at, end);
  const equals = line.indexOf('=');
  if (/^[#;]/.test(line) || equals < 0) {
    reader.at = end + 1;
    return null;
  }
  reader.at += equals + 1;
  return line.slice(0, equals).trim();
}

function endOfLine({ text, at }) {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** A value is a row of quoted and unquoted parts up to the end of the line; the space around unquoted parts is left out. */
function readValue(reader) {
  let value = '';
  for (;;) {
    const next = reader.text[reader.at];
    if (next === undefined || next === '\n') break;
    if (next === "'") value += singleQuoted(reader);
    else if (next === '"') value += doubleQuoted(reader);
    else if (/\s/.test(next)) reader.at += 1;
    else {
      // After an unquoted part systemd takes quotes as they are.
      value += unquoted(reader);
      break;
    }
  }
  reader.at += 1;
  return value;
}

function singleQuoted(reader) {
  const end = reader.text.indexOf("'", reader.at + 1);
  const value = reader.text.slice(reader.at + 1, end < 0 ? undefined : end);
  reader.at = end < 0 ? reader.text.length : end + 1;
  return value;
}

function doubleQuoted(reader) {
  let value = '';
  for (reader.at += 1; reader.at < reader.text.length; reader.at += 1) {
    const next = reader.text[reader.at];
    if (next === '"') {
      reader.at += 1;
      break;
    }
    value += next === '\\' ? escapedInQuotes(reader) : next;
  }
  return value;
}

function escapedInQuotes(reader) {
  reader.at += 1;
  const next = reader.text[reader.at] ?? '';
  if (next === '\n') return '';
  return PROTECTED.includes(next) ? next : `\\${next}`;
}

function unquoted(reader) {
  let value = '';
  let length = 0;
  for (; reader.at < reader.text.length && reader.text[reader.at] !== '\n'; reader.at += 1) {
    const isEscape = reader.text[reader.at] === '\\';
    if (isEscape) reader.at += 1;
    const next = reader.text[reader.at] ?? '';
    if (!isEscape || next !== '\n') value += next;
    if (isEscape || !/\s/.test(next)) length = value.length;
  }
  return value.slice(0, length);
}

import { describe, expect, it } from '@jest/globals';
import { attachmentNameOf } from './attachment.entity.js';

describe('the name of an attachment', () => {
  it.each([
    ['notes.txt', 'notes.txt'],
    ['отчёт €🙂.txt', 'отчёт €🙂.txt'],
    ['  two words .txt ', 'two words .txt'],
    ['../../etc/passwd', '....etcpasswd'],
    ['C:\\Windows\\system.ini', 'C:Windowssystem.ini'],
    ['a\0b\u0007c\u007fd\u0085e', 'abcde'],
    ['a\r\nSet-Cookie: b', 'aSet-Cookie: b'],
    ['invoice\u202Egpj.exe', 'invoicegpj.exe'],
    ['\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069x', 'x'],
    ['a\u2028b\u2029c', 'abc'],
    ['👩🏽‍🚀.png', '👩🏽‍🚀.png'],
    ['half\ud800.txt', 'half.txt'],
    ['say "hello"; filename=evil.exe', 'say "hello"; filename=evil.exe'],
  ])('%j is %j', (sent, name) => {
    expect(attachmentNameOf(sent)).toBe(name);
  });

  it.each(['', ' ', '.', '..', '...', '/', '\\..\\', '\u202E', '\0'])(
    'is `file` where nothing is left of %j',
    (sent) => {
      expect(attachmentNameOf(sent)).toBe('file');
    },
  );

  it('has at most 255 characters and keeps its extension, and never half a character', () => {
    expect(attachmentNameOf(`${'x'.repeat(300)}.txt`)).toBe(`${'x'.repeat(251)}.txt`);
    expect(attachmentNameOf('🙂'.repeat(300))).toBe('🙂'.repeat(255));
    expect(attachmentNameOf(`a.${'x'.repeat(300)}`)).toBe(`a.${'x'.repeat(253)}`);
    expect(attachmentNameOf('x'.repeat(255))).toBe('x'.repeat(255));
  });
});

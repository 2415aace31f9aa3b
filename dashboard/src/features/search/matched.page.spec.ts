import { describe, expect, it } from 'vitest';
import { splitAt } from './palette';

describe('the parts of a title that a query matches', () => {
  it.each([
    ['Card vault: the cardinal key', 'card vau', ['', 'Card', ' ', 'vau', 'lt: the ', 'card', 'inal key']],
    ['Discard it', 'card', ['Discard it']],
    ['日本語の課題', '課題', ['日本語の', '課題', '']],
    ['In v1.2.3', '1.2', ['In v1.', '2', '.3']],
    ['a (b) [c]', '( [ .*', ['a (b) [c]']],
    ['ПРИВЕТ', 'при', ['', 'ПРИ', 'ВЕТ']],
  ])('%j, %j', (text, query, parts) => {
    expect(splitAt(text, query)).toEqual(parts);
    expect(splitAt(text, query).join('')).toBe(text);
  });
});

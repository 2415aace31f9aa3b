import { describe, expect, it } from '@jest/globals';
import { isInlineImage } from './attachment.entity.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const PNG = bytes(
  '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\nIDAT',
);
const JPEG = bytes('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0');
const GIF = bytes('GIF89a\x01\0\x01\0\x80\0\0');
const WEBP = bytes('RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0');

describe('a raster image', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/gif', GIF],
    ['image/gif', bytes('GIF87a\x01\0\x01\0\x80\0\0')],
    ['image/webp', WEBP],
  ])('%s is one whose bytes are that', async (type, image) => {
    expect(await isInlineImage(type, image)).toBe(true);
  });

  it('in one format is rejected in another', async () => {
    const images = { 'image/png': PNG, 'image/jpeg': JPEG, 'image/gif': GIF, 'image/webp': WEBP };
    for (const type of Object.keys(images))
      for (const [other, image] of Object.entries(images))
        expect(await isInlineImage(type, image)).toBe(type === other);
  });

  it.each([
    'text/html',
    'image/svg+xml',
    'application/pdf',
    'application/octet-stream',
    'application/xhtml+xml',
    'image/bmp',
    'image/tiff',
    'image/x-icon',
    'message/rfc822',
    'multipart/related',
    'text/css',
    'text/javascript',
    'text/plain',
    'text/xml',
    'constructor',
    '',
    'IMAGE/PNG',
  ])('is not what says it is %j', async (type) => {
    for (const image of [PNG, JPEG, GIF, WEBP]) expect(await isInlineImage(type, image)).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['a beginning alone', '\x89PNG'],
    ['a beginning of six bytes', '\x89PNG\r\n'],
    ['GIF without a version', 'GIF<html><script>alert(1)</script>'],
    ['a GIF behind a tag of sound', 'ID3\x04\0\0\0\0\0\x0aaaaaaaaaaaGIF89a'],
    ['RIFF of another kind', 'RIFF\x24\0\0\0WAVEfmt '],
    ['HTML', '<!DOCTYPE html><html></html>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['XML', '<?xml version="1.0"?><html><script>alert(1)</script></html>'],
    ['a PDF', '%PDF-1.7\n'],
    ['a BMP', 'BM\x46\0\0\0\0\0'],
    ['a TIFF', 'II*\0\x08\0\0\0'],
    ['an icon', '\0\0\x01\0\x01\0'],
  ])('is not %s', async (_, text) => {
    for (const type of ['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
      expect(await isInlineImage(type, bytes(text))).toBe(false);
  });

  it.each([
    '<script>alert(1)</script>',
    '<HTML>',
    '<svg onload=x>',
    '<!doctype html>',
    '<iframe src=x>',
    '/*<html><script>alert(1)</script></html>*/=1;',
    '%PDF-1.7',
  ])('is not one that is also something else: %s', async (other) => {
    const images = { 'image/png': PNG, 'image/jpeg': JPEG, 'image/gif': GIF, 'image/webp': WEBP };
    for (const [type, image] of Object.entries(images))
      expect(await isInlineImage(type, Buffer.concat([image, bytes(other)]))).toBe(false);
  });
});

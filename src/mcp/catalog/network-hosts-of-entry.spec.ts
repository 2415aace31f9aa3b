import { expect, it } from '@jest/globals';
import { hostsIn } from './network-hosts-of-entry.js';

it.each([
  ['api.example.com', ['api.example.com:443']],
  ['API.Example.com.', ['api.example.com:443']],
  ['*.example.com:8443', ['*.example.com:8443']],
  ['127.0.0.1:5432', ['127.0.0.1:5432']],
  ['[::1]:5432', ['::1:5432']],
  ['https://gitlab.example.com/api/v4', ['gitlab.example.com:443']],
  ['http://firecrawl.internal:3002', ['firecrawl.internal:3002']],
  ['postgres://user:p@ss@db.example.com/app?sslmode=require', ['db.example.com:5432']],
  ['mongodb://u:p@one:27017,two:27018/app', ['one:27017', 'two:27018']],
  ['mysql://root@db:3307/x', ['db:3307']],
  ['sqlite:///tmp/file.db', []],
  ['host:0', []],
  ['host:99999', []],
  ['two words', []],
  ['', []],
])('%j names %j', (text, hosts) => {
  expect(hostsIn(text).map(({ host, port }) => `${host}:${port}`)).toEqual(hosts);
});

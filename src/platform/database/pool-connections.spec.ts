import { describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { dataSourceOptions } from './data-source.js';

const clientOf = (usesPreparedStatements: boolean) => {
  const options = dataSourceOptions('postgres://awp@127.0.0.1/awp', 1, {
    isPooled: false,
    usesPreparedStatements,
  });
  const { Client: Made } = options.extra as { Client: new () => Client };
  return new Made();
};

describe('a connection of the pool', () => {
  it.each([true, false])(
    'survives an error that no caller listens for, with prepared statements: %s',
    (usesPreparedStatements) => {
      const client = clientOf(usesPreparedStatements);
      expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow();
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { dataSourceOptions } from './data-source-pool-and-limits.js';

const clientOf = (usesPreparedStatements: boolean) => {
  const options = dataSourceOptions('postgres://awp@127.0.0.1/awp', 1, {
    isPooled: false,
    usesPreparedStatements,
  });
  const { Client: Made } = options.extra as { Client: new () => Client };
  return new Made();
};

/** The options that a connection begins with. */
const optionsOf = (url: string, isPooled: boolean): string | undefined => {
  const { extra } = dataSourceOptions(url, 1, { isPooled, usesPreparedStatements: true });
  const { Client: Made, ...config } = extra as { Client: new (config: object) => Client };
  const made = new Made({ ...config, connectionString: url });
  return (made as unknown as { connectionParameters: { options?: string } }).connectionParameters.options;
};

describe('a connection of the pool', () => {
  it('compiles no statement, also where the URL has options of its own, which count last', () => {
    expect(optionsOf('postgres://awp@127.0.0.1/awp', false)).toBe('-c jit=off');
    const url = 'postgres://awp@127.0.0.1/awp?options=-c%20search_path%3Dwork';
    expect(optionsOf(url, false)).toBe('-c jit=off -c search_path=work');
  });

  it('begins without options through a pooler, which would reject it', () => {
    expect(optionsOf('postgres://awp@127.0.0.1/awp', true)).toBeUndefined();
  });

  it.each([true, false])(
    'survives an error that no caller listens for, with prepared statements: %s',
    (usesPreparedStatements) => {
      const client = clientOf(usesPreparedStatements);
      expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow();
    },
  );
});

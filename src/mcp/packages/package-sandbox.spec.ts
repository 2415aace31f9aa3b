import { describe, expect, it } from '@jest/globals';
import { HostEnvironment } from '../runtime/runtime.service.js';
import { pathsAmong, privateEnvironment, registrySettings } from './package-sandbox.js';

const host = new HostEnvironment({
  PATH: '/bin',
  HOME: '/home/operator',
  DATABASE_URL: 'postgres://u:p@h/d',
  HTTPS_PROXY: 'http://proxy:3128',
  SSL_CERT_FILE: '/etc/ssl/ca.pem',
  npm_config_registry: 'https://npm.example/',
  'npm_config_@acme:registry': 'https://acme.example/',
  'npm_config_//npm.example/:_authToken': 'secret',
  npm_config__auth: 'secret',
  npm_config_userconfig: '/home/operator/.npmrc',
  NODE_OPTIONS: '--require /evil.js',
  PIP_INDEX_URL: 'https://pypi.example/simple',
  PIP_FIND_LINKS: '/opt/wheels file:///opt/more',
  PIP_TARGET: '/elsewhere',
  PIP_CONFIG_FILE: '/home/operator/pip.conf',
});

describe('the environment of a package manager', () => {
  it('has the way to the registry and no credential', () => {
    const network = { HTTPS_PROXY: 'http://proxy:3128', SSL_CERT_FILE: '/etc/ssl/ca.pem' };
    expect(registrySettings(host, 'npm')).toEqual({
      ...network,
      npm_config_registry: 'https://npm.example/',
      'npm_config_@acme:registry': 'https://acme.example/',
    });
    expect(registrySettings(host, 'pip')).toEqual({
      ...network,
      PIP_INDEX_URL: 'https://pypi.example/simple',
      PIP_FIND_LINKS: '/opt/wheels file:///opt/more',
    });
  });

  it('names the paths that the sandbox has to show', () => {
    expect(pathsAmong(registrySettings(host, 'pip'))).toEqual([
      '/etc/ssl/ca.pem',
      '/opt/wheels',
      '/opt/more',
    ]);
  });

  it('has a home of its own and configuration files that do not exist', () => {
    expect(privateEnvironment('/usr/bin/node', '/work/home', '/cache')).toMatchObject({
      HOME: '/work/home',
      npm_config_userconfig: '/work/home/user.npmrc',
      PIP_CONFIG_FILE: '/dev/null',
    });
  });
});

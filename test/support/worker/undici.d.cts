export * from 'undici';

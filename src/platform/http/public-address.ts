/** Under which address clients reach the service; known once it listens. Without a trailing slash. */
export class PublicAddress {
  url = 'http://127.0.0.1';
}

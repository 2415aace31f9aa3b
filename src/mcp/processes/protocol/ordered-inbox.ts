/**
 * Delivers messages one by one and in order, and lets one macrotask pass after each notification.
 *
 * Why: the SDK handles a notification in a microtask but a response at once, so that progress which arrives
 * in the same read as its result is thrown away as 'unknown token' (typescript-sdk #2580: lost in 50 of 50).
 */
export class OrderedInbox<Message> {
  private readonly waiting: Message[] = [];
  private pumping = false;

  constructor(
    private readonly deliver: (message: Message) => void,
    private readonly isNotification: (message: Message) => boolean,
    /** Called when the backlog becomes too long and when it is empty again, so that the sender can be paused. */
    private readonly onBacklog: (tooLong: boolean) => void = () => undefined,
  ) {}

  push(message: Message): void {
    this.waiting.push(message);
    if (this.waiting.length === MAX_BACKLOG) this.onBacklog(true);
    void this.pump();
  }

  /** Resolves when everything that was pushed before has been delivered. */
  async drained(): Promise<void> {
    while (this.pumping) await nextMacrotask();
  }

  private async pump(): Promise<void> {
    if (this.pumping) return;
    this.pumping = true;
    for (let message = this.waiting.shift(); message !== undefined; message = this.waiting.shift()) {
      this.deliver(message);
      if (this.isNotification(message)) await nextMacrotask();
    }
    this.pumping = false;
    this.onBacklog(false);
  }
}

function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A server that floods notifications is read no faster than they are handled. */
const MAX_BACKLOG = 256;

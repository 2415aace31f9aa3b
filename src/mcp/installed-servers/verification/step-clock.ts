import { storableText } from '../storable-text.js';
import { verificationSteps, type StepResult, type VerificationStep } from './verification.js';

interface Entered {
  phase: VerificationStep;
  at: number;
  detail: string | null;
}

/** Measures the steps of one verification. */
export class StepClock {
  private readonly entered: Entered[] = [];

  /** @param needless the steps that this kind of server does not need: they are skipped unless they fail */
  constructor(
    private readonly needless: readonly VerificationStep[],
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Ends the present step and begins the next one. Entering the present step again changes nothing. */
  enter(phase: VerificationStep): void {
    if (this.entered.at(-1)?.phase !== phase) this.entered.push({ phase, at: this.now(), detail: null });
  }

  /** Says what the present step found. */
  found(detail: string): void {
    const present = this.entered.at(-1);
    if (present) present.detail = storableText(detail);
  }

  /**
   * Returns all steps in order.
   * @param last how the step that was entered last ended; those before it succeeded
   */
  results(last: Pick<StepResult, 'status' | 'detail'>): StepResult[] {
    const end = this.now();
    return verificationSteps.map((phase) => {
      const at = this.entered.findIndex((entered) => entered.phase === phase);
      const isLast = at >= 0 && at === this.entered.length - 1;
      if (at < 0 || (!isLast && this.needless.includes(phase))) return skipped(phase, null);
      const { at: begin, detail } = this.entered[at]!;
      const { status, detail: why } = isLast ? last : { status: 'ok' as const, detail: null };
      if (status === 'skipped') return skipped(phase, why ?? detail);
      const ms = Math.round((this.entered[at + 1]?.at ?? end) - begin);
      return { phase, status, ms, detail: why === null ? detail : storableText(why) };
    });
  }
}

function skipped(phase: VerificationStep, detail: string | null): StepResult {
  return { phase, status: 'skipped', ms: null, detail };
}

import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../http/text-rules.js';
import { MayBeAbsent } from '../http/validation.pipe.js';

/** A key for the routes below `/api/mcp`. No other response holds it. */
export class ElevatedKeyResponse {
  /** @example awp_u_0123456789012345678901234567890123456789012abcdef */
  key!: string;
  /** When the key ends, at most 15 minutes from now. */
  expiresAt!: Date;
}

export class ElevateRequest {
  @ApiProperty({
    description:
      "The caller's own password; left out by a person who has just signed in again at the OpenID provider.",
    example: 'correct horse battery staple',
    required: false,
  })
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  password?: string;
}

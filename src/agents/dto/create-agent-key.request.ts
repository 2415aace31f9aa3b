import { OmitType } from '@nestjs/swagger';
import { CreateApiKeyRequest } from '../../platform/auth/keys/dto/create-api-key.request.js';

/** As a user's key, but for the role: an agent has none to narrow. */
export class CreateAgentKeyRequest extends OmitType(CreateApiKeyRequest, ['role'] as const) {}

// #region tool
import { Injectable } from '@nestjs/common';
import { McpArgs, McpField, McpTool } from '@mocapi/core';
import { IsIn, IsString, MaxLength } from 'class-validator';

export class ForecastArgs {
  @IsString()
  @MaxLength(80)
  @McpField({ description: 'Name of the city' })
  city!: string;

  @IsIn(['celsius', 'fahrenheit'])
  @McpField({ description: 'Unit of the temperatures', default: 'celsius' })
  unit!: string;
}

@Injectable()
export class WeatherTools {
  @McpTool({ description: 'Tells the temperature that is expected in a city', annotations: { readOnlyHint: true } })
  forecast(@McpArgs() { city, unit }: ForecastArgs) {
    return { city, unit, temperature: unit === 'celsius' ? 21 : 70 };
  }
}
// #endregion tool

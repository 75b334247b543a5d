import { McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { Expose, Type } from 'class-transformer';
import { IsIn, IsNumber, IsString, ValidateNested } from 'class-validator';

class Shape {
  @IsString()
  kind!: string;
}

class Circle extends Shape {
  @IsIn(['circle'])
  override kind!: string;

  @IsNumber()
  radius!: number;
}

const TAGGED = { discriminator: { property: 'kind', subTypes: [{ name: 'circle', value: Circle }] }, keepDiscriminatorProperty: true };

class Drawing {
  #scale = 2;

  @ValidateNested()
  @Type(() => Shape, TAGGED)
  shape!: Shape;

  @ValidateNested({ each: true })
  @Type(() => Shape, TAGGED)
  more!: Shape[];

  @Expose()
  @IsNumber()
  get scale(): number {
    return this.#scale;
  }
}

let drawing: Drawing;

@Injectable()
class Tools {
  @McpTool({ description: 'x', outputSchema: Drawing })
  draw(): Drawing {
    return drawing;
  }
}

describe('N-9: a result whose class has private fields, and a union', () => {
  let testing: McpTestingApp;
  beforeAll(async () => {
    testing = await createMcpTestingApp({ providers: [Tools] });
  });
  afterAll(() => testing.close());

  it('is sent, and the instances stay as they were', async () => {
    const circle = (radius: number): Circle => Object.assign(new Circle(), { radius });
    const untagged = circle(1);
    delete (untagged as Partial<Circle>).kind;
    drawing = Object.assign(new Drawing(), { shape: untagged, more: [circle(2)] });
    const { result } = await testing.client().callTool('draw');
    expect(result?.structuredContent).toEqual({
      shape: { kind: 'circle', radius: 1 },
      more: [{ kind: 'circle', radius: 2 }],
      scale: 2,
    });
    expect(Object.hasOwn(untagged, 'kind')).toBe(false);
    expect(drawing.more[0]!.kind).toBeUndefined();
  });
});

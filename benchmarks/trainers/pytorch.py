"""A contestant: PyTorch's `nn.Transformer`, in an ordinary training loop."""

import math
import sys

import torch
from contest import serve
from torch import nn
from trainers import batches as files


class Model(nn.Module):
    """A pre-norm Transformer with one embedding for source, target and output."""

    def __init__(self, vocab_size: int) -> None:
        super().__init__()
        shape = files.SHAPE
        self.depth = shape["d_model"]
        self.embedding = nn.Embedding(vocab_size, self.depth, padding_idx=0)
        self.dropout = nn.Dropout(shape["rate"])
        self.transformer = nn.Transformer(
            d_model=self.depth,
            nhead=shape["num_heads"],
            num_encoder_layers=shape["num_layers"],
            num_decoder_layers=shape["num_layers"],
            dim_feedforward=shape["dff"],
            dropout=shape["rate"],
            batch_first=True,
            norm_first=True,
        )
        self._turn_off_inner_dropout()
        self.output = nn.Linear(self.depth, vocab_size)
        self.output.weight = self.embedding.weight
        angles = torch.arange(64)[:, None] / 10000 ** (torch.arange(0, self.depth, 2) / self.depth)
        table = torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(64, self.depth)
        self.register_buffer("positions", table)

    def _turn_off_inner_dropout(self) -> None:
        """Turn off the dropout of attention weights and inner activations: ours has the rate 0."""
        for module in self.transformer.modules():
            if isinstance(module, nn.MultiheadAttention):
                module.dropout = 0.0
            if isinstance(module, nn.TransformerEncoderLayer | nn.TransformerDecoderLayer):
                module.dropout.p = 0.0

    def embed(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.embedding(ids) * math.sqrt(self.depth) + self.positions[: ids.shape[1]]
        return self.dropout(x)

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        length = target.shape[1]
        ahead = torch.ones(length, length, dtype=torch.bool).triu(1)
        hidden = source == 0
        features = self.transformer(
            self.embed(source),
            self.embed(target),
            tgt_mask=ahead,
            tgt_is_causal=True,
            src_key_padding_mask=hidden,
            tgt_key_padding_mask=target == 0,
            memory_key_padding_mask=hidden,
        )
        return self.output(features)


def main(directory: str) -> None:
    torch.set_num_threads(2)
    batches = files.read(directory, "bucketed")
    tensors = [tuple(torch.from_numpy(ids).long() for ids in pair) for pair in batches]
    vocab_size = files.read_vocab_size(directory)
    model = Model(vocab_size).train()
    loss_of = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)
    optimizer = torch.optim.Adam(model.parameters(), 1e-4, betas=(0.9, 0.98), eps=1e-9)

    def work() -> int:
        for source, target in tensors:
            optimizer.zero_grad()
            logits = model(source, target[:, :-1])
            loss = loss_of(logits.reshape(-1, vocab_size), target[:, 1:].reshape(-1))
            loss.backward()
            optimizer.step()
        return files.real_tokens(batches)

    serve(work)


if __name__ == "__main__":
    main(*sys.argv[1:])

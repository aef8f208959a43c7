"""Embedding models: what makes vectors, here or on a server."""

from app.embed.card import load_card
from app.embed.http import HttpEmbedder
from app.embed.onnx import OnnxEmbedder

__all__ = ["HttpEmbedder", "OnnxEmbedder", "load_card"]
